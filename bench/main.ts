const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  applications: () => import("./applications.ts"),
  apiserver: () => import("./apiserver.ts"),
  gateway: () => import("./gateway.ts"),
  hostnames: () => import("./hostnames.ts"),
  infra: () => import("./infra.ts"),
  lookups: () => import("./lookups.ts"),
  routing: () => import("./routing.ts"),
  soak: () => import("./soak.ts"),
  runtime: () => import("./runtime.ts"),
  store: () => import("./store.ts"),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`there is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
    console.log(`# ${name}`);
    await BENCHES[name]?.();
  }
}
