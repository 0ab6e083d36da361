import { registerHooks } from "node:module";
import { MUTANTS } from "../../test/simulation/mutants.ts";
import { mutated } from "./mutated.ts";

// Loaded before everything else in a worker: plants the bug that the environment names into the source as it is read.
const mutant = MUTANTS.find(({ name }) => name === process.env["SIMULATION_MUTANT"]);
if (mutant === undefined) throw new Error(`there is no mutant ${process.env["SIMULATION_MUTANT"]}`);
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${mutant.file}`)) return loaded;
    return {
      ...loaded,
      source: mutated(mutant, Buffer.from((loaded.source ?? "") as Uint8Array | string as string).toString()),
    };
  },
});
