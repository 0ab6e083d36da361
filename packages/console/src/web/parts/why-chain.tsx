import type { JSX } from "preact";
import { STATE_WORDS } from "../model/state.ts";
import type { State } from "../model/state.ts";
import { ageText, durationText, momentText } from "../model/time-text.ts";
import { useNow } from "./clock.tsx";
import { Command } from "./command.tsx";
import { StateIcon } from "./icons.tsx";
import { SubjectLink } from "./object-link.tsx";
import type { Subject } from "./object-link.tsx";

export interface NextStep {
  readonly text: string;
  readonly command?: string;
}

export interface WhyLink {
  readonly title: string;
  readonly level: number;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  readonly since?: string;
  readonly subject?: Subject;
  readonly next: readonly NextStep[];
}

/** Why something is as it is: the answer of `gatewright why`. */
export interface WhyAnswer {
  readonly subject: Subject;
  readonly state: State;
  readonly headline: string;
  readonly url?: string;
  readonly links: readonly WhyLink[];
  readonly cause?: number;
  readonly next: readonly NextStep[];
}

/** Addresses that only pods can reach. */
const INSIDE = /\.svc(?:\.cluster\.local)?(?::[0-9]+)?(?:\/|$)/;

/** The answer in one sentence, and what to do. */
export function Verdict({ answer }: { readonly answer: WhyAnswer }): JSX.Element {
  return (
    <div class={`verdict is-${answer.state}`} role="status" aria-live="polite">
      <StateIcon state={answer.state} size={22} />
      <div class="stack">
        <strong>{answer.headline}</strong>
        {answer.url !== undefined && answer.state === "ok" && !INSIDE.test(answer.url) && (
          <a href={answer.url} target="_blank" rel="noopener noreferrer">
            {answer.url}
          </a>
        )}
        <NextSteps steps={answer.next} />
      </div>
    </div>
  );
}

export function NextSteps({ steps }: { readonly steps: readonly NextStep[] }): JSX.Element | null {
  if (steps.length === 0) return null;
  return (
    <ul class="stack">
      {steps.map(({ text, command }) => (
        <li key={text + (command ?? "")}>
          <p>{text}</p>
          {command !== undefined && <Command text={command} />}
        </li>
      ))}
    </ul>
  );
}

/** The chain as a timeline: each step with its state, since when, and how long it took after the one before. */
export function WhyChain({ answer, begun }: { readonly answer: WhyAnswer; readonly begun?: string }): JSX.Element {
  const now = useNow(1_000);
  return (
    <ol class="timeline">
      {answer.links.map((link, index) => {
        const isCause = index === answer.cause;
        return (
          <li
            key={`${link.level} ${link.title}`}
            class={`is-${link.state} level-${Math.min(link.level, 3)} ${isCause ? "cause" : ""}`}
          >
            <StateIcon state={link.state} size={20} />
            <div class="step">
              <b>
                {link.subject === undefined ? (
                  link.title
                ) : (
                  <SubjectLink subject={link.subject}>{link.title}</SubjectLink>
                )}
              </b>
              <span class="hidden">{STATE_WORDS[link.state]}</span>
              {link.reason !== "" && <span class="tag mono">{link.reason}</span>}
              {isCause && <span class={`state is-${link.state}`}>the cause</span>}
            </div>
            <span class="took" title={momentText(link.since)}>
              {tookText(answer.links, index, begun, now)}
            </span>
            {link.message !== "" && <div class="told">{link.message}</div>}
          </li>
        );
      })}
    </ol>
  );
}

/** A step that is done took as long as it came after the one that was done before it; one that is not has lasted so far. */
function tookText(links: readonly WhyLink[], index: number, begun: string | undefined, now: number): string {
  const link = links[index];
  const since = Date.parse(link?.since ?? "");
  if (link === undefined || !Number.isFinite(since)) return "";
  if (link.state !== "ok") return `for ${durationText(now - since)}`;
  const before = [begun, ...links.map((each) => (each.state === "ok" ? each.since : undefined))]
    .map((text) => Date.parse(text ?? ""))
    .filter((time) => Number.isFinite(time) && time < since);
  const age = ageText(link.since, now);
  return before.length === 0 ? `${age} ago` : `+${durationText(since - Math.max(...before))} · ${age} ago`;
}
