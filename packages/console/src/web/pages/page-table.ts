import type { IconName } from "../parts/icons.tsx";

/** The pages in the side bar, with the letter that leads there after `g`. */
export const PAGES: readonly {
  readonly path: string;
  readonly title: string;
  readonly letter: string;
  readonly icon: IconName;
}[] = [
  { path: "", title: "Overview", letter: "o", icon: "overview" },
  { path: "applications", title: "Applications", letter: "a", icon: "applications" },
  { path: "hostnames", title: "Hostnames", letter: "h", icon: "hostnames" },
  { path: "routes", title: "Routes", letter: "r", icon: "routes" },
  { path: "gateways", title: "Gateways", letter: "g", icon: "gateways" },
  { path: "aws", title: "AWS resources", letter: "w", icon: "aws" },
  { path: "events", title: "Events", letter: "e", icon: "events" },
];
