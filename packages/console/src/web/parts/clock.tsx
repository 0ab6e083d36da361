import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { every, now } from "../../browser/time.ts";
import { ageText, momentText } from "../model/time-text.ts";

/** The time, drawn anew every so often. */
export function useNow(ms = 1_000): number {
  const [time, setTime] = useState(now());
  useEffect(() => every(ms, () => setTime(now())), [ms]);
  return time;
}

/** How long ago something was; the moment itself is in the title. */
export function Age({ since }: { readonly since: string | undefined }): JSX.Element {
  const time = useNow(5_000);
  return (
    <time class="faint nowrap" dateTime={since ?? ""} title={momentText(since)}>
      {ageText(since, time)}
    </time>
  );
}
