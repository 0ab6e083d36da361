import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../state/ask.ts";
import { href } from "../state/location.ts";
import { useSession } from "../state/session.ts";
import { StateIcon } from "./icons.tsx";
import { Note } from "./note.tsx";

interface Candidate {
  /** `APIRoute default/hello`. */
  readonly route: string;
  readonly host: string;
  readonly path: string;
  readonly verdict: "wins" | "ranks lower" | "does not hold";
  readonly because: string;
}

interface MatchAnswer {
  readonly routes: number;
  /** Kinds of routes that the user may not read. */
  readonly unread: readonly string[];
  readonly winner?: Candidate;
  /** On gateways that have routes of their own. */
  readonly elsewhere: readonly { readonly gateway: string; readonly winner: Candidate }[];
  readonly others: readonly Candidate[];
  readonly notListed: number;
  readonly findings: readonly {
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
    readonly field: string;
    readonly message: string;
  }[];
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** Where would this request go? Asked of the same table that gateways use, with the routes that the user may read. */
export function MatchBox(): JSX.Element {
  const { namespace } = useSession();
  const [asked, setAsked] = useState({ method: "GET", host: "", path: "/", header: "" });
  const [answer, setAnswer] = useState<MatchAnswer | undefined>(undefined);
  const [problem, setProblem] = useState("");
  const set = (field: keyof typeof asked) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setAsked({ ...asked, [field]: event.currentTarget.value });
  const find = async (): Promise<void> => {
    const query = new URLSearchParams({
      method: asked.method,
      host: asked.host.trim() || "localhost",
      path: asked.path.trim() || "/",
    });
    if (asked.header.trim() !== "") query.append("header", asked.header.trim());
    if (namespace !== undefined) query.set("namespace", namespace);
    try {
      setAnswer(await ask<MatchAnswer>(`/console/api/match?${query}`));
      setProblem("");
    } catch (error) {
      setAnswer(undefined);
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section class="card" aria-labelledby="match-title">
      <header>
        <h2 id="match-title">Where would this request go?</h2>
      </header>
      <div class="body stack">
        <form
          class="match-form"
          onSubmit={(event) => {
            event.preventDefault();
            void find();
          }}
        >
          <div class="field">
            <label for="match-method">Method</label>
            <select id="match-method" class="input" value={asked.method} onChange={set("method")}>
              {METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for="match-host">Host</label>
            <input
              id="match-host"
              class="input"
              placeholder="localhost"
              autocomplete="off"
              spellcheck={false}
              value={asked.host}
              onInput={set("host")}
            />
          </div>
          <div class="field path">
            <label for="match-path">Path</label>
            <input
              id="match-path"
              class="input"
              autocomplete="off"
              spellcheck={false}
              value={asked.path}
              onInput={set("path")}
            />
          </div>
          <button type="submit" class="button main-action">
            Find out
          </button>
          <div class="field wide">
            <label for="match-header">Header</label>
            <input
              id="match-header"
              class="input"
              placeholder="x-version: 2"
              autocomplete="off"
              spellcheck={false}
              value={asked.header}
              onInput={set("header")}
            />
          </div>
        </form>
        <div role="status" aria-live="polite" class="stack">
          {problem !== "" && <Note state="broken">{problem}</Note>}
          {answer !== undefined && <Answer answer={answer} />}
        </div>
      </div>
    </section>
  );
}

function Answer({ answer }: { readonly answer: MatchAnswer }): JSX.Element {
  const { winner, elsewhere, others, notListed, routes, unread, findings } = answer;
  return (
    <>
      {elsewhere.map(({ gateway, winner: route }) => (
        <Winner key={gateway} winner={route} on={`On gateways called ${gateway}, to`} />
      ))}
      {winner === undefined ? (
        <div class="verdict is-broken">
          <StateIcon state="broken" size={20} />
          <div>
            <strong>{elsewhere.length === 0 ? "Nowhere" : "On others nowhere"}: the answer is 404.</strong>
            {routes === 0 ? "You can read no route." : `${counted(routes)} looked at, and none takes it.`}
          </div>
        </div>
      ) : (
        <Winner winner={winner} on={elsewhere.length === 0 ? "To" : "On others, to"} />
      )}
      {others.length > 0 && (
        <ul class="stack">
          {others.map((other) => (
            <li key={`${other.route} ${other.host} ${other.path} ${other.because}`} class="soft">
              <RouteName route={other.route} /> {other.verdict}: {other.because}
            </li>
          ))}
        </ul>
      )}
      {notListed > 0 && <p class="faint">{notListed} more do not take it.</p>}
      {findings.map(({ kind, namespace, name, field, message }) => (
        <Note key={`${kind} ${namespace} ${name} ${field}`} state="warning">
          {kind} {namespace}/{name} takes nothing: {field}: {message}
        </Note>
      ))}
      {unread.length > 0 && (
        <Note state="unknown">You may not read {unread.join(", ")}: others may take it before these.</Note>
      )}
      <p class="faint">
        Answered from {counted(routes)} that you may read; what load balancers route is not among them.
      </p>
    </>
  );
}

function Winner({ winner, on }: { readonly winner: Candidate; readonly on: string }): JSX.Element {
  return (
    <div class="verdict is-ok">
      <StateIcon state="ok" size={20} />
      <div>
        <strong>
          {on} <RouteName route={winner.route} />
        </strong>
        Host {winner.host}, path {winner.path}: {winner.because}.
      </div>
    </div>
  );
}

function counted(routes: number): string {
  return routes === 1 ? "1 route" : `${routes} routes`;
}

const PLURALS: Readonly<Record<string, string>> = {
  APIRoute: "apiroutes.avapigw.io",
  GRPCRoute: "grpcroutes.avapigw.io",
  GraphQLRoute: "graphqlroutes.avapigw.io",
  Ingress: "ingresses.networking.k8s.io",
};

function RouteName({ route }: { readonly route: string }): JSX.Element {
  const [kind = "", key = ""] = route.split(" ");
  const [namespace = "", name = ""] = key.split("/");
  const id = PLURALS[kind];
  return id === undefined ? <>{route}</> : <a href={href("object", id, namespace, name)}>{route}</a>;
}
