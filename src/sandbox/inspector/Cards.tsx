import { Copy } from './Copy.tsx';
import { TEST_NUMBERS } from './test-numbers.ts';
import { numberText } from './words.ts';

/** Every number that the sandbox takes; a click copies it. */
export const Cards = () => (
  <>
    <div class="section-head">
      <h2>Test cards</h2>
      <p class="note">
        Click a number to copy it. Any expiry date to come, any security code of the right length. Any other
        number is declined, so that no real card is ever used.
      </p>
    </div>
    <div class="columns wide">
      {TEST_NUMBERS.map(({ title, numbers }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul class="numbers">
            {numbers.map(({ number, does }) => (
              <li key={number}>
                <Copy text={number} what={numberText(number)} shown={numberText(number)} />
                <span>{does}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </>
);
