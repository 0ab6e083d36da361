import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { keptToken } from "../browser/kept-token.ts";
import { later } from "../browser/time.ts";
import type { ShownKind } from "./model/kube.ts";
import { CreatePage } from "./pages/create.tsx";
import { EventsPage } from "./pages/events.tsx";
import { Frame } from "./pages/frame.tsx";
import { GatewaysPage } from "./pages/gateways.tsx";
import { ApplicationsPage, AwsPage, HostnamesPage } from "./pages/list-pages.tsx";
import { ObjectPage } from "./pages/object.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { RoutesPage } from "./pages/routes.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { Note } from "./parts/note.tsx";
import { ask, Refusal } from "./state/ask.ts";
import { Live } from "./state/live.ts";
import { followPlaces, href, place } from "./state/location.ts";
import { useObservable } from "./state/observable.ts";
import { SessionContext } from "./state/session.ts";
import type { Session } from "./state/session.ts";

type Beginning = Pick<Session, "user" | "kinds">;

type Start =
  | { readonly type: "asking" }
  | { readonly type: "signed-out"; readonly problem: string }
  | { readonly type: "failed"; readonly problem: string }
  | { readonly type: "ready"; readonly beginning: Beginning };

const AGAIN_MS = 2_000;

function App(): JSX.Element {
  const [start, setStart] = useState<Start>({ type: "asking" });
  const begin = async (): Promise<void> => {
    try {
      const beginning = await ask<{ readonly user: Session["user"]; readonly kinds: readonly ShownKind[] }>(
        "/console/api/session",
      );
      setStart({ type: "ready", beginning });
    } catch (error) {
      if (error instanceof Refusal && error.code === 401) {
        const had = keptToken.get() !== undefined;
        keptToken.set(undefined);
        setStart({ type: "signed-out", problem: had ? "The token is not good, or not any more." : "" });
        return;
      }
      setStart({ type: "failed", problem: error instanceof Error ? error.message : String(error) });
      later(AGAIN_MS, () => void begin());
    }
  };
  useEffect(() => void begin(), []);
  const signIn = (token: string | undefined): void => {
    keptToken.set(token);
    setStart({ type: "asking" });
    void begin();
  };
  switch (start.type) {
    case "asking":
      return <p class="loading">Gatewright</p>;
    case "signed-out":
      return <SignInPage problem={start.problem} signIn={signIn} />;
    case "failed":
      return (
        <main class="sign-in">
          <Note state="broken">The server does not answer: {start.problem} It is asked again.</Note>
        </main>
      );
    case "ready":
      return <Inside beginning={start.beginning} signOut={() => signIn(undefined)} expired={() => void begin()} />;
  }
}

interface InsideProps {
  readonly beginning: Beginning;
  readonly signOut: () => void;
  /** The server does not take the user's credentials any more. */
  readonly expired: () => void;
}

function Inside({ beginning, signOut, expired }: InsideProps): JSX.Element {
  const { query } = useObservable(place);
  const namespace = query.get("ns") ?? undefined;
  const live = useMemo(() => new Live(namespace), [namespace]);
  useEffect(() => {
    const leave = live.connection.subscribe(() => {
      if (live.connection.value === "signed-out") expired();
    });
    return () => {
      leave();
      live.close();
    };
  }, [live]);
  const session = useMemo<Session>(() => ({ ...beginning, live, namespace }), [beginning, live, namespace]);
  return (
    <SessionContext.Provider value={session}>
      <Frame signOut={signOut}>
        <Page key={namespace ?? ""} />
      </Frame>
    </SessionContext.Provider>
  );
}

function Page(): JSX.Element {
  const { parts } = useObservable(place);
  const [page = "", first, second, third] = parts;
  switch (page) {
    case "":
      return <OverviewPage />;
    case "applications":
      return <ApplicationsPage />;
    case "hostnames":
      return <HostnamesPage />;
    case "routes":
      return <RoutesPage />;
    case "gateways":
      return <GatewaysPage />;
    case "aws":
      return <AwsPage />;
    case "events":
      return <EventsPage />;
    case "new":
      return <CreatePage id={first} />;
    case "object":
      if (first !== undefined && second !== undefined && third !== undefined) {
        return <ObjectPage id={first} namespace={second} name={third} />;
      }
      break;
    default:
  }
  return (
    <Note state="broken">
      There is no such page. <a href={href()}>To the overview</a>
    </Note>
  );
}

followPlaces();
const app = document.getElementById("app");
if (app !== null) render(<App />, app);
