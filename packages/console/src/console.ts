import { badRequest, StatusError } from "@gatewright/kube";
import type { Clock, Random } from "@gatewright/ports";
import type { IngressClassSettings } from "@gatewright/routing/ingress";
import { createClient } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { match } from "./api/match.ts";
import { pool } from "./api/pool.ts";
import { session } from "./api/session.ts";
import { createLiveApi } from "./api/stream.ts";
import { answerOverview, answerWhy } from "./api/why.ts";
import { answerPage } from "./page/answer-page.ts";
import { loadPageFiles } from "./page/page-files.ts";
import type { PageFiles } from "./page/page-files.ts";

/** Where the console is, on whichever server. */
export const CONSOLE_PATH = "/console/";
/** What the page asks for beside the Kubernetes API. */
export const CONSOLE_API_PATH = "/console/api/";

/** A request for something of the console. */
export interface ConsoleQuestion extends HttpQuestion {
  readonly path: string;
}

export interface ConsoleOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** The folder of the workspace, where the page's files are. */
  readonly root: string;
  /** Which Ingresses gateways serve. Default: none. */
  readonly ingress?: IngressClassSettings | undefined;
  /** Hears of what is a fault of ours. */
  readonly fault: (error: unknown) => void;
}

/** The console, apart from the server that it is served by. Errors are StatusErrors. */
export interface Console {
  /** A file of the page: for anybody, since there is nothing in it. */
  page(question: ConsoleQuestion): Promise<HttpAnswer>;
  /**
   * An answer to the page. Everything is read through `transport`, which acts as the user of the page: nothing is told that they could
   * not read themselves. Nothing is written.
   */
  api(question: ConsoleQuestion, transport: Transport): Promise<HttpAnswer> | HttpAnswer;
}

/** Makes a console. The page's files are looked for with the first request for one. */
export function createConsole({ clock, random, root, ingress, fault }: ConsoleOptions): Console {
  const live = createLiveApi({ clock, fault });
  let files: Promise<PageFiles> | undefined;
  return {
    async page({ path, headers }) {
      files ??= loadPageFiles(root);
      try {
        return answerPage({ path: path.slice(CONSOLE_PATH.length), headers }, await files);
      } catch (error) {
        if (error instanceof StatusError) throw error;
        files = undefined;
        fault(error);
        const message = "the console's page could not be made; npm ci makes it anew, and the log tells more";
        throw new StatusError({ code: 503, reason: "ServiceUnavailable", message, details: {} });
      }
    },
    api(question, transport) {
      const client = createClient(transport, {
        userAgent: "gatewright-console",
        clock,
        random,
        retry: { attempts: 2 },
      });
      switch (question.path.slice(CONSOLE_API_PATH.length)) {
        case "session":
          return session(client, question.signal);
        case "stream":
          return live.stream(question, client);
        case "why":
          return answerWhy(question, client, clock.now());
        case "overview":
          return answerOverview(question, client, clock.now());
        case "pool":
          return pool(question, client);
        case "match":
          return match(question, client, ingress);
        default:
          throw badRequest("the console has no such question");
      }
    },
  };
}
