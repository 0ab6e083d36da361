import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Command } from "../parts/command.tsx";
import { Logo } from "../parts/icons.tsx";
import { Note } from "../parts/note.tsx";

/** Asks for a token. It stays in this tab, and everything is done in its name. */
export function SignInPage({
  problem,
  signIn,
}: {
  readonly problem: string;
  readonly signIn: (token: string) => void;
}): JSX.Element {
  const [token, setToken] = useState("");
  return (
    <main class="card sign-in">
      <div class="row">
        <span class="brand">
          <Logo />
        </span>
        <h1>Gatewright</h1>
      </div>
      <p class="soft">
        Sign in with a token of the cluster. The console does what your own rights allow, and nothing else; the token
        stays in this tab.
      </p>
      {problem !== "" && <Note state="broken">{problem}</Note>}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") signIn(token.trim());
        }}
      >
        <div class="field">
          <label for="token">Token</label>
          <input
            id="token"
            class="input"
            type="password"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </div>
        <button type="submit" class="button main-action" disabled={token.trim() === ""}>
          Sign in
        </button>
      </form>
      <p class="soft">A token of a service account, for an hour:</p>
      <Command text="kubectl create token my-account" />
    </main>
  );
}
