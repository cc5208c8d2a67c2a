import { INSPECTOR } from '../../api/routes.ts';
import { CodePanel } from './CodePanel.tsx';
import { Controls } from './Controls.tsx';
import { usePlayground } from './context.ts';
import { EventPanel } from './EventPanel.tsx';
import { PaymentPanel } from './PaymentPanel.tsx';
import { Stage } from './Stage.tsx';

/** If the page around the form is wider than this, the form is above its controls, not next to them. In CSS pixels. */
const WIDEST_BESIDE = 560;

export const Playground = () => {
  const { site, choices, notes, toast, canCreatePayments, createPayment, copyLink, startOver } =
    usePlayground();
  return (
    <>
      <header class="top">
        <div class="top-line">
          <h1>
            Playground <span>card form</span>
          </h1>
          {site.hasControl && <a href={INSPECTOR}>Inspector</a>}
          <div class="buttons top-actions">
            <button type="button" onClick={startOver}>
              Start over
            </button>
            {canCreatePayments && (
              <button type="button" onClick={() => void createPayment()}>
                New payment
              </button>
            )}
            <button type="button" class="primary" onClick={() => void copyLink()}>
              Copy link
            </button>
          </div>
        </div>
      </header>
      {notes.value.length > 0 && (
        <ul class="notes" role="alert">
          {notes.value.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <main class="workbench" data-wide={(choices.value.width ?? 0) > WIDEST_BESIDE}>
        {/* A sticky element stays within its parent, which here is one cell of the grid. */}
        <div class="cell">
          <Stage />
        </div>
        <Controls />
        <div class="output">
          <CodePanel />
          <PaymentPanel />
          <EventPanel />
        </div>
      </main>
      <p class="toast" role="status" data-tone={toast.value?.tone}>
        {toast.value?.text}
      </p>
    </>
  );
};
