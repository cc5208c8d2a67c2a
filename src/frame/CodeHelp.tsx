import { usePictures } from './BrandMark.tsx';
import { useForm } from './context.ts';

/** Where the security code stands on the card: opened by pointer, touch or key, and closed in the same way. */
export const CodeHelp = () => {
  const { form, words } = useForm();
  const drawn = usePictures();
  const brand = form.brand.value;
  const sides =
    brand === 'amex' ? (['front'] as const) : brand ? (['back'] as const) : (['back', 'front'] as const);
  return (
    <details class="code-help">
      <summary>
        <span class="unseen">{words.say('cvc.help')}</span>
        <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
          <circle cx="10" cy="10" r="8" />
          <path d="M7.7 7.8a2.3 2.3 0 1 1 3.4 2c-.8.4-1.1.9-1.1 1.6M10 14v.1" />
        </svg>
      </summary>
      {sides.map((side) => (
        <p key={side}>
          {drawn && <drawn.CodePicture side={side} />}
          <span>{words.say(`cvc.help.${side}`)}</span>
        </p>
      ))}
    </details>
  );
};
