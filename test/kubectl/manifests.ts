/** What the kubectl and helm tests apply. */
export const WIDGET_CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector }
      additionalPrinterColumns:
        - { name: Size, type: integer, jsonPath: .spec.size }
        - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
        - { name: Colour, type: string, jsonPath: .spec.colour, priority: 1 }
      schema:
        openAPIV3Schema:
          type: object
          description: A thing to test with.
          required: [spec]
          properties:
            spec:
              type: object
              description: What is wanted.
              required: [size]
              x-kubernetes-validations:
                - { rule: "self.size < 100", message: "size is too large" }
              properties:
                size: { type: integer, minimum: 0, description: How large it is. }
                colour: { type: string, default: blue, enum: [blue, red] }
                replicas: { type: integer }
            status:
              type: object
              properties:
                replicas: { type: integer }
                selector: { type: string }
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items:
                    type: object
                    required: [type, status]
                    properties:
                      type: { type: string }
                      status: { type: string }
`;

export const widget = (name: string, size: number): string => `
apiVersion: example.com/v1
kind: Widget
metadata: { name: ${name} }
spec: { size: ${size} }
`;

export const deployment = (name: string, image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { app: ${name} }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: web
          image: ${image}
          ports: [{ containerPort: 80 }]
`;

export const configMap = (name: string, value: string): string => `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name} }
data: { key: "${value}" }
`;

/** The manifests as one List, which is how `kubectl get -o yaml` prints many objects. */
export const list = (...manifests: readonly string[]): string => {
  const items = manifests.map((manifest) => `  - ${manifest.trim().replaceAll("\n", "\n    ")}\n`);
  return `apiVersion: v1\nkind: List\nitems:\n${items.join("")}`;
};
