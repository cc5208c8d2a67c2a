import { useRef } from 'preact/hooks';
import { TARGETS, type Target } from './choices.ts';
import { usePlayground } from './context.ts';

const NAMES: Readonly<Record<Target, string>> = {
  script: 'Script tag',
  module: 'npm',
  react: 'React',
  vue: 'Vue',
  svelte: 'Svelte',
  'no-code': 'No code',
};

/** Returns the tab that a key moves to, or null. */
const tabAfter = (key: string, current: Target): Target | null => {
  const at = TARGETS.indexOf(current);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + TARGETS.length, Home: 0, End: TARGETS.length - 1 }[
    key
  ];
  return to === undefined ? null : (TARGETS[to % TARGETS.length] ?? null);
};

/** The code for the form on the screen. */
export const CodePanel = () => {
  const { choices, choose, code, copy } = usePlayground();
  const tabs = useRef<HTMLDivElement>(null);
  const { target } = choices.value;
  const { text, missing } = code.value;
  return (
    <section class="code-panel" aria-label="Code">
      <div class="code-head">
        <div
          ref={tabs}
          class="tabs"
          role="tablist"
          aria-label="Code for"
          onKeyDown={(event) => {
            const next = tabAfter(event.key, target);
            if (next === null) return;
            event.preventDefault();
            choose({ target: next });
            tabs.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
          }}
        >
          {TARGETS.map((one) => (
            <button
              key={one}
              id={`tab-${one}`}
              type="button"
              role="tab"
              aria-selected={one === target}
              aria-controls="code"
              tabIndex={one === target ? 0 : -1}
              onClick={() => choose({ target: one })}
            >
              {NAMES[one]}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="small"
          aria-label="Copy code"
          onClick={() => void copy(text, 'the code')}
        >
          Copy
        </button>
      </div>
      <div id="code" role="tabpanel" aria-labelledby={`tab-${target}`}>
        {missing.length > 0 && (
          <p class="missing">
            Attributes cannot set{' '}
            {missing.map((name, at) => [at > 0 && ', ', <code key={name}>{name}</code>])}. Use the script tag
            for them.
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </div>
    </section>
  );
};
