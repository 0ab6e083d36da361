import type { Random } from "@gatewright/ports";
import { TransportError } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";

/** How often what happened. */
export interface Cuts {
  count: number;
}

/** A way to the same server on which every watch is cut after a few hundred events, in the middle of a line. */
export function cuttingWatches(transport: Transport, random: Random, cuts: Cuts): Transport {
  return async (request) => {
    const response = await transport(request);
    if (!/[?&]watch=(?:1|true)/.test(request.path) || response.status !== 200) return response;
    const [high = 0, low = 0] = random.bytes(2);
    return { ...response, body: cutAfter(response.body, 100 + ((high * 256 + low) % 300), cuts) };
  };
}

async function* cutAfter(body: AsyncIterable<Uint8Array>, lines: number, cuts: Cuts): AsyncGenerator<Uint8Array> {
  let left = lines;
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, end + 1)) {
      if (--left > 0) continue;
      // The next line is cut in half, so that what was sent of it must be thrown away.
      yield chunk.subarray(from, Math.min(chunk.length, end + 20));
      cuts.count++;
      throw new TransportError("cut", "the watch was cut by the test");
    }
    yield chunk.subarray(from);
    from = 0;
  }
}
