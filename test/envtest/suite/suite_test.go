// Package envtest runs an ordinary controller-runtime suite. Nothing in it knows which API server it talks to.
package envtest

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var (
	config  *rest.Config
	environ *envtest.Environment
	gvk     = schema.GroupVersionKind{Group: "envtest.example", Version: "v1", Kind: "Widget"}
)

func TestMain(m *testing.M) {
	fail := admissionregistrationv1.Fail
	none := admissionregistrationv1.SideEffectClassNone
	path := "/validate"
	environ = &envtest.Environment{
		CRDDirectoryPaths:     []string{filepath.Join(".", "widgets.yaml")},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{
			ValidatingWebhooks: []*admissionregistrationv1.ValidatingWebhookConfiguration{{
				ObjectMeta: metav1.ObjectMeta{Name: "widgets"},
				Webhooks: []admissionregistrationv1.ValidatingWebhook{{
					Name:                    "widgets.envtest.example",
					FailurePolicy:           &fail,
					SideEffects:             &none,
					AdmissionReviewVersions: []string{"v1"},
					ClientConfig: admissionregistrationv1.WebhookClientConfig{
						Service: &admissionregistrationv1.ServiceReference{Name: "webhook", Namespace: "default", Path: &path},
					},
					Rules: []admissionregistrationv1.RuleWithOperations{{
						Operations: []admissionregistrationv1.OperationType{"CREATE"},
						Rule: admissionregistrationv1.Rule{
							APIGroups: []string{gvk.Group}, APIVersions: []string{"v1"}, Resources: []string{"widgets"},
						},
					}},
				}},
			}},
		},
	}
	var err error
	if config, err = environ.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "the environment does not start:", err)
		os.Exit(1)
	}
	code := m.Run()
	if err := environ.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, "the environment does not stop:", err)
		code = 1
	}
	os.Exit(code)
}

func widget(name, text string) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"text": text}}}
	object.SetGroupVersionKind(gvk)
	object.SetName(name)
	object.SetNamespace("default")
	return object
}

// reconciler keeps a ConfigMap with the text of each Widget and counts it in the Widget's status.
type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	object := widget("", "")
	if err := r.Get(ctx, request.NamespacedName, object); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text, _, _ := unstructured.NestedString(object.Object, "spec", "text")
	copied := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: request.Name, Namespace: request.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, copied, func() error {
		copied.Data = map[string]string{"text": text}
		return controllerutil.SetControllerReference(object, copied, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := unstructured.SetNestedField(object.Object, int64(1), "status", "copies"); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Update(ctx, object)
}

func startManager(t *testing.T) client.Client {
	t.Helper()
	hooks := environ.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:          server.Options{BindAddress: "0"},
		LeaderElection:   true,
		LeaderElectionID: "suite.envtest.example",
		LeaderElectionNamespace: "default",
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	manager.GetWebhookServer().Register("/validate", &admission.Webhook{Handler: admission.HandlerFunc(
		func(_ context.Context, request admission.Request) admission.Response {
			if request.Name == "refused" {
				return admission.Denied("the webhook refuses this name")
			}
			return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{Allowed: true}}
		})})
	watched := widget("", "")
	err = ctrl.NewControllerManagedBy(manager).For(watched).Owns(&corev1.ConfigMap{}).Named("widgets").
		Complete(&reconciler{manager.GetClient()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- manager.Start(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error("the manager ended with:", err)
		}
	})
	if !manager.GetCache().WaitForCacheSync(ctx) {
		t.Fatal("the caches do not sync")
	}
	address := net.JoinHostPort(hooks.LocalServingHost, fmt.Sprint(hooks.LocalServingPort))
	eventually(t, "the webhook serves", func() bool {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			connection.Close()
		}
		return err == nil
	})
	return manager.GetClient()
}

func eventually(t *testing.T, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if met() {
			return
		}
	}
	t.Fatal("did not happen: " + what)
}

func TestControllerReconcilesAndItsChildrenAreRepaired(t *testing.T) {
	c := startManager(t)
	ctx := context.Background()
	if err := c.Create(ctx, widget("one", "hello")); err != nil {
		t.Fatal(err)
	}
	key := client.ObjectKey{Namespace: "default", Name: "one"}
	copied := &corev1.ConfigMap{}
	eventually(t, "the copy is made", func() bool { return c.Get(ctx, key, copied) == nil && copied.Data["text"] == "hello" })
	eventually(t, "the status is written", func() bool {
		object := widget("", "")
		copies := int64(0)
		if c.Get(ctx, key, object) == nil {
			copies, _, _ = unstructured.NestedInt64(object.Object, "status", "copies")
		}
		return copies == 1
	})
	uid := copied.UID
	if err := c.Delete(ctx, copied); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the copy is made again", func() bool { return c.Get(ctx, key, copied) == nil && copied.UID != uid })

	if err := c.Create(ctx, widget("refused", "x")); !apierrors.IsForbidden(err) {
		t.Fatal("the webhook should have refused it, but:", err)
	}
	if err := c.Create(ctx, widget("empty", "")); !apierrors.IsInvalid(err) {
		t.Fatal("the schema should have refused it, but:", err)
	}
}

func TestUsersAreAuthenticatedByCertificateAndAuthorized(t *testing.T) {
	user, err := environ.AddUser(envtest.User{Name: "alice", Groups: []string{"devs"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.New(user.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.List(context.Background(), &corev1.SecretList{}, client.InNamespace("default"))
	if !apierrors.IsForbidden(err) {
		t.Fatal("alice has no rights, but:", err)
	}
	response, err := http.Get("http://" + environ.ControlPlane.Etcd.URL.Host + "/health")
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal("etcd's health endpoint:", err)
	}
}
