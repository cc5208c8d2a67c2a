import { useCallback } from 'preact/hooks';
import { NARROWEST, PAGE_SCHEMES, USUAL_WIDTH, WIDEST } from './choices.ts';
import { usePlayground } from './context.ts';
import { Segmented } from './inputs.tsx';
import { pageColourOf } from './readout.ts';

const DEVICES = [
  { value: 'fit', text: 'Fit', title: 'As there is room' },
  { value: '320', text: '320', title: 'The narrowest phones' },
  { value: '390', text: '390', title: 'A phone' },
  { value: '768', text: '768', title: 'A tablet' },
  { value: '1280', text: '1280', title: 'A wide page' },
] as const;

const PAGE_NAMES = { auto: 'System', light: 'Light', dark: 'Dark' } as const;

/** The form, on a page with the chosen width and color scheme. */
export const Stage = () => {
  const { choices, choose, pageScheme, attach, submit, isLoading, payment, canCreatePayments } =
    usePlayground();
  const container = useCallback((element: HTMLDivElement | null) => attach(element), [attach]);
  const { width, page, payButton } = choices.value;
  const widthName = width === null ? 'Fit' : `${width} px`;
  const background = pageColourOf(choices.value, pageScheme.value);
  return (
    <section class="stage" aria-label="The form">
      <div class="stage-tools">
        <Segmented
          legend="Width"
          isLegendHidden
          options={DEVICES}
          value={width === null ? 'fit' : `${width}`}
          onChoose={(chosen) => choose({ width: chosen === 'fit' ? null : Number(chosen) })}
        />
        <label class="slider">
          <span class="visually-hidden">Width of the page in pixels</span>
          <input
            type="range"
            min={NARROWEST}
            max={WIDEST}
            step={10}
            value={width ?? USUAL_WIDTH}
            aria-valuetext={widthName}
            onInput={({ currentTarget }) => choose({ width: Number(currentTarget.value) })}
          />
          <span class="value" aria-hidden="true">
            {widthName}
          </span>
        </label>
        <Segmented
          legend="The page around the form"
          isLegendHidden
          options={PAGE_SCHEMES.map((value) => ({ value, text: PAGE_NAMES[value] }))}
          value={page}
          onChoose={(chosen) => choose({ page: chosen })}
        />
      </div>
      {!canCreatePayments && <SecretForm />}
      <section
        class="sheet"
        aria-label="Preview"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        tabIndex={0}
      >
        <div
          class="device"
          style={{
            ...(width === null ? { maxWidth: `${USUAL_WIDTH}px` } : { width: `${width}px` }),
            background,
            colorScheme: pageScheme.value,
          }}
        >
          {isLoading.value && <p class="waiting">Loading the form…</p>}
          {!isLoading.value && payment.value === null && canCreatePayments && (
            <p class="waiting">There is no payment to show a form for. Press “New payment”.</p>
          )}
          <div class="container" ref={container} />
          {payButton === 'host' && (
            <button type="button" class="host-button" onClick={submit}>
              Your page’s own button
            </button>
          )}
        </div>
      </section>
    </section>
  );
};

/** Asks for a client secret if this page cannot create a payment at the service. */
const SecretForm = () => {
  const { enterSecret } = usePlayground();
  return (
    <form
      class="secret-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('secret');
        if (typeof given === 'string') enterSecret(given);
      }}
    >
      <label>
        Client secret of a payment
        <input
          type="text"
          name="secret"
          autocomplete="off"
          spellcheck={false}
          placeholder="lg_cs_…"
          required
        />
      </label>
      <button type="submit" class="primary">
        Show the form
      </button>
    </form>
  );
};
