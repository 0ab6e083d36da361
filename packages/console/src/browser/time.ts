/** Milliseconds since the epoch, by the browser's clock. */
export function now(): number {
  return Date.now();
}

/** Calls once, after a while. What is returned cancels it. */
export function later(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}

/** Calls again and again. What is returned ends it. */
export function every(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms);
  return () => clearInterval(timer);
}
