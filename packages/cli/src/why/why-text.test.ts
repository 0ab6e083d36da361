import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "@gatewright/explain";
import { plainPaint, terminalPaint } from "@gatewright/infra/paint";
import { whyText } from "./why-text.ts";

const NOW = Date.parse("2030-01-01T00:10:00Z");
const app = { apiVersion: "cloudnative.elide.dev/v1", kind: "Application", namespace: "shop", name: "web" };

const answer: Answer = {
  subject: app,
  state: "broken",
  verdict: "Application shop/web is not live",
  headline: "",
  cause: 1,
  next: [{ text: "Mend the image." }, { text: "See all of it.", command: "kubectl describe -n shop pod/a" }],
  links: [
    {
      title: "Application web",
      level: 0,
      state: "broken",
      reason: "ImagePullBackOff",
      message: "pod a: the image cannot be pulled",
      next: [],
    },
    {
      title: "Pod a",
      level: 1,
      state: "broken",
      reason: "ImagePullBackOff",
      message: "The image cannot be pulled.",
      since: "2030-01-01T00:00:00Z",
      next: [],
    },
    {
      title: "Service web",
      level: 1,
      state: "waiting",
      reason: "NoEndpoints",
      message: "No pod\u001b[31m is\nready.",
      next: [],
    },
    { title: "Claim", level: 1, state: "ok", reason: "Claimed", message: "It is claimed.", next: [] },
  ],
};

test("the cause and what to do are at the top; links below say only what is new", () => {
  assert.deepEqual(whyText(answer, { paint: plainPaint, now: NOW, wide: false }).split("\n"), [
    "✗ Application shop/web is not live",
    "",
    "Cause  Pod a: The image cannot be pulled. (ImagePullBackOff, for 10m)",
    "Next   Mend the image.",
    "       See all of it.",
    "         $ kubectl describe -n shop pod/a",
    "",
    "  ✗ Application web  ImagePullBackOff",
    "    ✗ Pod a          ImagePullBackOff  10m  ◀ the cause",
    "    … Service web    NoEndpoints            No pod is ready.",
    "    ✓ Claim          Claimed",
    "",
  ]);
});

test("wide has the messages of all links", () => {
  const text = whyText(answer, { paint: plainPaint, now: NOW, wide: true });
  assert.match(text, /◀ the cause: The image cannot be pulled\.\n/);
  assert.match(text, /✓ Claim {10}Claimed {16}It is claimed\.\n/);
});

test("what others wrote cannot colour or move the terminal, and colours take no room", () => {
  const text = whyText(answer, { paint: terminalPaint, now: NOW, wide: false });
  assert.ok(!text.includes("\u001b[31m is"));
  const plain = text.replaceAll(/\u001B\[[0-9;]*m/g, "");
  assert.equal(plain, whyText(answer, { paint: plainPaint, now: NOW, wide: false }));
});

test("a reason cannot move the terminal either", () => {
  const links = [{ ...answer.links[1]!, reason: "Odd\u001b[2J" }];
  const text = whyText({ ...answer, links, cause: 0 }, { paint: plainPaint, now: NOW, wide: false });
  assert.ok(!text.includes("\u001b"));
  assert.match(text, /\(Odd \[2J, for 10m\)/);
});

test("what is live says where", () => {
  const live: Answer = {
    ...answer,
    state: "ok",
    verdict: "Application shop/web is live",
    url: "https://a.example.com/",
    next: [],
  };
  const { cause: _, ...rest } = live;
  assert.match(
    whyText(rest, { paint: plainPaint, now: NOW, wide: false }),
    /^✓ Application shop\/web is live at https:\/\/a.example.com\/\n\n {2}✗/,
  );
});
