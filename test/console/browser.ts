import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { chromiumPath } from "../tools/chromium.ts";

const ARTEFACTS = join(import.meta.dirname, "artefacts");

/** As quiet as a browser can be: it talks to nobody but the page's server. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser(): Promise<Browser> {
  mkdirSync(ARTEFACTS, { recursive: true });
  return chromium.launch({ executablePath: chromiumPath() ?? "", args: FLAGS });
}

/** A tab, and everything that its console complained of. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

export async function openTab(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}): Promise<Tab> {
  // The page's policy lets nothing but its own files run, and axe is not one of them: it is put in by `bypassCSP` contexts alone.
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.setDefaultTimeout(15_000);
  return { page, context, complaints };
}

export async function picture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(ARTEFACTS, `${name}.png`), animations: "disabled" });
}

/** What keeps people from using the page, as axe finds it. */
export async function barriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: checks } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
    }
    const found = await checks.run({ resultTypes: ["violations"] });
    return found.violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} (${failureSummary})`).join("; ")}`,
    );
  });
  return violations;
}
