import type { JSX } from "preact";
import { listAt, textAt } from "../model/kube.ts";
import { Icon } from "../parts/icons.tsx";
import { ObjectTable } from "../parts/object-table.tsx";
import type { Column } from "../parts/object-table.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StandingNotes } from "../parts/standing-notes.tsx";
import { href } from "../state/location.ts";
import { kindById, useKinds, useSession } from "../state/session.ts";
import { APPLICATIONS, AWS_KINDS, HOSTNAMES } from "./kinds-shown.ts";

interface ListPageProps {
  readonly title: string;
  readonly about: string;
  readonly ids: readonly string[];
  readonly columns: readonly Column[];
  /** The kinds that the buttons at the top make. */
  readonly makes: readonly string[];
  readonly empty: string;
}

function ListPage({ title, about, ids, columns, makes, empty }: ListPageProps): JSX.Element {
  const session = useSession();
  const known = useKinds(ids);
  const kinds = ids.flatMap((id, index) => {
    const [kind, each] = [kindById(session, id), known[index]];
    return kind === undefined || each === undefined ? [] : [{ kind, known: each }];
  });
  return (
    <>
      <PageHead title={title} about={about}>
        {makes.map((id) => (
          <a key={id} class="button main-action" href={href("new", id)}>
            <Icon name="plus" size={14} /> {kindById(session, id)?.kind}
          </a>
        ))}
      </PageHead>
      <div class="stack">
        <StandingNotes ids={ids} />
        <ObjectTable caption={title} kinds={kinds} columns={columns} mixed={ids.length > 1} empty={empty} />
      </div>
    </>
  );
}

const outside = (url: string): JSX.Element | null =>
  url === "" ? null : (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );

export function ApplicationsPage(): JSX.Element {
  const columns: readonly Column[] = [
    { title: "Image", of: ({ object }) => <code>{textAt(object.spec, "image")}</code> },
    {
      title: "Replicas",
      of: ({ object }) =>
        `${textAt(object.status, "readyReplicas") || textAt(object.status, "replicas", "ready") || "0"} of ${textAt(object.spec, "replicas") || "1"}`,
    },
    { title: "Answers at", of: ({ object }) => outside(textAt(object.status, "url")) },
  ];
  return (
    <ListPage
      title="Applications"
      about="Images that run, and where they answer."
      ids={[APPLICATIONS]}
      columns={columns}
      makes={[APPLICATIONS]}
      empty="No application yet."
    />
  );
}

export function HostnamesPage(): JSX.Element {
  const columns: readonly Column[] = [
    { title: "Hostname", of: ({ object }) => <span class="mono">{textAt(object.spec, "hostname")}</span> },
    { title: "Gateway", of: ({ object }) => textAt(object.status, "assignedGateway") },
    { title: "Answers at", of: ({ object }) => outside(textAt(object.status, "url")) },
  ];
  return (
    <ListPage
      title="Hostnames"
      about="Names that teams asked for: claimed, certified, on a load balancer, in DNS."
      ids={[HOSTNAMES]}
      columns={columns}
      makes={[HOSTNAMES]}
      empty="Nobody has asked for a hostname yet."
    />
  );
}

export function AwsPage(): JSX.Element {
  const columns: readonly Column[] = [
    { title: "In AWS", of: ({ object }) => <span class="mono">{textAt(object.status, "resource", "id")}</span> },
    { title: "Account", of: ({ object }) => textAt(object.status, "accountID") },
    {
      title: "Drift",
      of: ({ object }) => {
        const drift = listAt(object.status, "drift").map((each) => textAt(each, "field"));
        const plan = textAt(object.status, "plan", "action");
        return (
          <>
            {drift.length > 0 && <div class="mono">{drift.join(", ")}</div>}
            {plan !== "" && <div>{plan} waits for approval</div>}
            {drift.length === 0 && plan === "" && <span class="faint">none</span>}
          </>
        );
      },
    },
  ];
  return (
    <ListPage
      title="AWS resources"
      about="Buckets, queues, tables and the rest: what AWS has, and where it differs from what was asked for."
      ids={AWS_KINDS}
      columns={columns}
      makes={["s3buckets.aws-infra-operator.runner.codes", "sqsqueues.aws-infra-operator.runner.codes"]}
      empty="No AWS resource yet."
    />
  );
}
