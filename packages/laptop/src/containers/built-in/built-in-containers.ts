import type { Clock } from "@gatewright/ports";
import type { Container, ContainerExit, ContainerRuntime, ContainerSpec } from "../container-runtime.ts";
import { ImageError } from "../image-error.ts";
import { parseImageName } from "../image-name.ts";
import { BUILT_IN_IMAGES } from "./built-in-images.ts";
import type { BuiltInImage } from "./built-in-images.ts";
import { answerEcho } from "./echo-answer.ts";
import { createOrderlyServer } from "./orderly-server.ts";

const OURS = "gatewright/";
const MISSING = "missing";
const DEFAULT_PORT = 8080;

/** Runs the images of {@link BUILT_IN_IMAGES} within this process, as real servers on this machine's loopback. */
export function builtInContainers({ clock }: { readonly clock: Clock }): ContainerRuntime {
  return {
    accepts: (image) => image.startsWith(OURS),
    pulls: false,
    async start(spec, signal) {
      const name = parseImageName(spec.image);
      if (name === undefined) throw ImageError.invalid(spec.image);
      const image = BUILT_IN_IMAGES.get(name.repository);
      if (image === undefined || name.tag === MISSING) throw ImageError.notFound(spec.image, name.whole);
      signal.throwIfAborted();
      return run(image, spec, clock);
    },
  };
}

async function run(image: BuiltInImage, spec: ContainerSpec, clock: Clock): Promise<Container> {
  const { log } = spec;
  const { promise: exited, resolve } = Promise.withResolvers<ContainerExit>();
  const afterMs = 1000 * numberIn(spec, "AFTER_SECONDS", image.after?.seconds ?? 0);
  const bornAt = clock.monotonic();
  const timers: (() => void)[] = [];
  let [over, ending] = [false, false];

  const sick = (): boolean => image.after?.event === "sicken" && clock.monotonic() - bornAt >= afterMs;
  const server = createOrderlyServer(clock, (request, response) => {
    if (request.url === "/healthz" || request.url?.startsWith("/healthz?") === true) {
      response.writeHead(sick() ? 500 : 200, { "content-type": "text/plain" }).end(sick() ? "sick\n" : "ok\n");
      return;
    }
    answerEcho(spec, clock, request, response).then(
      () => log.write(`${request.method ?? ""} ${request.url ?? ""} ${response.statusCode}`),
      () => response.destroy(), // the client went away while it was sending
    );
  });
  const exit = (exitCode: number): void => {
    if (over) return;
    over = true;
    for (const cancel of timers) cancel();
    server.destroy();
    log.write(`exits with code ${exitCode}`);
    resolve({ exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  };
  const listen = async (): Promise<void> => {
    for (const port of portsOf(spec)) {
      const address = await server.listen();
      if (over) break;
      spec.opened(port, address);
      log.write(`listening on port ${port}`);
    }
    if (over) server.destroy();
  };

  log.write(`${spec.image} starts as ${spec.pod.name}/${spec.name}`);
  if (image.after?.event === "exit") {
    timers.push(clock.timer(afterMs, () => exit(numberIn(spec, "EXIT_CODE", image.exitCode ?? 0))));
  }
  if (image.serves && image.after?.event === "listen") {
    timers.push(clock.timer(afterMs, () => void listen().catch(() => exit(1))));
  } else if (image.serves) {
    await listen();
  }

  return {
    exited,
    simulated: false,
    async stop(graceMs) {
      if (graceMs <= 0) exit(137);
      timers.push(clock.timer(graceMs, () => exit(137)));
      if (!ending && !over) {
        ending = true;
        log.write("asked to end: serves on until nobody asks any more");
        void (image.serves ? server.drain(graceMs) : Promise.resolve()).then(() => exit(0));
      }
      await exited;
    },
  };
}

/** `PORT`, `--port=8080`, or all that are declared. */
function portsOf({ env, args, ports }: ContainerSpec): readonly number[] {
  const argument = args.flatMap((arg) => /^--port=(\d+)$/.exec(arg)?.[1] ?? [])[0];
  const asked = Number(argument ?? env.get("PORT"));
  if (Number.isInteger(asked) && asked > 0 && asked < 65_536) return [asked];
  return ports.length > 0 ? [...new Set(ports)] : [DEFAULT_PORT];
}

function numberIn({ env }: ContainerSpec, name: string, otherwise: number): number {
  const value = Number(env.get(name) ?? otherwise);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}
