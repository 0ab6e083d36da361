import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";

export interface PageHeadProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly crumbs?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The top of a page. */
export function PageHead({ title, about, crumbs, children }: PageHeadProps): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Gatewright`;
  }, [title]);
  return (
    <header class="page-head">
      <div class="titles">
        {crumbs !== undefined && <div class="crumbs">{crumbs}</div>}
        <h1>{title}</h1>
        {about !== undefined && <p>{about}</p>}
      </div>
      <div class="row">{children}</div>
    </header>
  );
}
