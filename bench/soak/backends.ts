import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A backend that says what it was asked, and can be gone for a while. */
export class SoakBackend {
  #server: Server = this.#make();
  port = 0;

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, "127.0.0.1", resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection; nobody listens until `start`. */
  async kill(): Promise<void> {
    const gone = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await gone;
    this.#server = this.#make();
  }

  #make(): Server {
    return createServer((request, response) => {
      let length = 0;
      request.on("data", (chunk: Buffer) => (length += chunk.length));
      request.on("end", () => response.end(`${request.url} ${length}`));
    });
  }
}
