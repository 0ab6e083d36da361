const COLLECTION = "http://localhost:3000/apis/cloudnative.elide.dev/v1/namespaces";

/** The commands of the seed's README, letter by letter. */
export const SEED = {
  create: `curl -X POST ${COLLECTION}/default/applications \\
  -H "Content-Type: application/json" \\
  -d '{
    "apiVersion": "cloudnative.elide.dev/v1",
    "kind": "Application",
    "metadata": {
      "name": "my-app"
    },
    "spec": {
      "replicas": 3,
      "image": "nginx:latest",
      "strategy": "RollingUpdate"
    }
  }'`,
  get: `curl ${COLLECTION}/default/applications/my-app`,
  update: `curl -X PUT ${COLLECTION}/default/applications/my-app \\
  -H "Content-Type: application/json" \\
  -d '{
    "apiVersion": "cloudnative.elide.dev/v1",
    "kind": "Application",
    "metadata": {
      "name": "my-app",
      "namespace": "default"
    },
    "spec": {
      "replicas": 5,
      "image": "nginx:latest",
      "strategy": "RollingUpdate"
    }
  }'`,
  watch: "curl -N http://localhost:3000/watch",
  delete: `curl -X DELETE ${COLLECTION}/default/applications/my-app`,
  createInTest: `curl -X POST ${COLLECTION}/test/applications \\
  -H "Content-Type: application/json" \\
  -d '{"apiVersion":"cloudnative.elide.dev/v1","kind":"Application","metadata":{"name":"test-app"},"spec":{"replicas":1,"image":"test:latest","strategy":"RollingUpdate"}}'`,
  checkStatus: `curl ${COLLECTION}/test/applications/test-app`,
  events: "curl http://localhost:3000/events",
} as const;

/** The curl commands in a text: a line that begins with curl, and those that its ends and quotes draw in. */
export function curlCommands(text: string): Set<string> {
  return new Set([...text.matchAll(/^curl (?:[^\n'\\]|\\\n|'[^']*')*/gm)].map(([command]) => command.trim()));
}
