// The same controller as ../controller.ts on Go's controller-runtime: for each Note a ConfigMap with its text, applied with an
// owner reference, and a status that says so.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/go-logr/logr"
)

var groupVersion = schema.GroupVersion{Group: "bench.gatewright.dev", Version: "v1"}

type NoteSpec struct {
	Text string `json:"text"`
}

type NoteStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	Ready              bool  `json:"ready,omitempty"`
}

type Note struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NoteSpec   `json:"spec,omitempty"`
	Status            NoteStatus `json:"status,omitempty"`
}

func (n *Note) DeepCopyObject() runtime.Object {
	out := &Note{TypeMeta: n.TypeMeta, Spec: n.Spec, Status: n.Status}
	n.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

type NoteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Note `json:"items"`
}

func (l *NoteList) DeepCopyObject() runtime.Object {
	out := &NoteList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopyObject().(*Note))
	}
	return out
}

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var note Note
	if err := r.Get(ctx, request.NamespacedName, &note); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var child corev1.ConfigMap
	err := r.Get(ctx, request.NamespacedName, &child)
	if err != nil && !apierrors.IsNotFound(err) {
		return ctrl.Result{}, err
	}
	if err != nil || child.Data["text"] != note.Spec.Text {
		desired := coreac.ConfigMap(note.Name, note.Namespace).
			WithData(map[string]string{"text": note.Spec.Text}).
			WithOwnerReferences(metaac.OwnerReference().
				WithAPIVersion(groupVersion.String()).WithKind("Note").WithName(note.Name).WithUID(note.UID).
				WithController(true).WithBlockOwnerDeletion(true))
		if err := r.Apply(ctx, desired, client.FieldOwner("notes"), client.ForceOwnership); err != nil {
			return ctrl.Result{}, err
		}
	}
	if note.Status.ObservedGeneration != note.Generation || !note.Status.Ready {
		before := note.DeepCopyObject().(*Note)
		note.Status = NoteStatus{ObservedGeneration: note.Generation, Ready: true}
		if err := r.Status().Patch(ctx, &note, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func run() error {
	concurrency := flag.Int("concurrency", 10, "objects at once")
	flag.Parse()
	log.SetLogger(logr.Discard())

	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	scheme.AddKnownTypes(groupVersion, &Note{}, &NoteList{})
	metav1.AddToGroupVersion(scheme, groupVersion)

	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	// Without its default limit of 20 requests a second.
	config.QPS = -1
	mgr, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultTransform: cache.TransformStripManagedFields()},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(mgr).For(&Note{}).Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: *concurrency}).
		Complete(&reconciler{mgr.GetClient()})
	if err != nil {
		return err
	}
	err = mgr.Add(manager.RunnableFunc(func(ctx context.Context) error {
		// An informer is given when it is synced.
		for _, kind := range []client.Object{&Note{}, &corev1.ConfigMap{}} {
			if _, err := mgr.GetCache().GetInformer(ctx, kind); err != nil {
				return err
			}
		}
		fmt.Println("synced")
		<-ctx.Done()
		return nil
	}))
	if err != nil {
		return err
	}
	return mgr.Start(ctrl.SetupSignalHandler())
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
