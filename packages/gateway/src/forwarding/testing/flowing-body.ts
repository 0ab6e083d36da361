import type { Sink, Source } from "../../exchange/body.ts";

/** A body that a test lets flow piece by piece. */
export class FlowingBody implements Source {
  readonly length = undefined;
  sink: Sink | undefined;
  isCancelled = false;
  isOver = false;
  /** How often the sink wanted more again. */
  drained = 0;

  open(sink: Sink): void {
    if (this.sink !== undefined) throw new Error("opened twice");
    this.sink = sink;
    sink.onDrain(() => this.drained++);
  }

  cancel(): void {
    this.isCancelled = true;
  }

  write(text: string): boolean {
    if (this.isCancelled) return false;
    return this.sink?.write(Buffer.from(text)) ?? false;
  }

  end(): void {
    if (this.isCancelled) return;
    this.isOver = true;
    this.sink?.end();
  }
}
