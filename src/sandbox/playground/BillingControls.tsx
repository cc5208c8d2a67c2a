import { COUNTRIES } from '../../form/address/country-codes.ts';
import { countryNames } from '../../form/address/names.ts';
import { BILLING_OPTIONS, type BillingOption, fieldsOf } from '../../form/channel/fields.ts';
import { BUYER_FIELDS, type BuyerDetails, type BuyerField, SAMPLE_BUYER } from './choices.ts';
import { usePlayground } from './context.ts';
import { CheckField, SelectField, TextField } from './inputs.tsx';
import { buyerValue } from './link.ts';

/** Returns a field's label: "Address line 1", "Postal code". */
const labelOf = (field: BuyerField): string => {
  const words = field.replace('line', 'address line ').replace('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const ALL_COUNTRIES = countryNames('en', COUNTRIES).map(({ code, name }) => ({ value: code, text: name }));

const pick = (buyer: BuyerDetails, fields: readonly BuyerField[]): BuyerDetails =>
  Object.fromEntries(fields.flatMap((field) => (buyer[field] === undefined ? [] : [[field, buyer[field]]])));

const isGiven = (buyer: BuyerDetails, detail: BillingOption): boolean =>
  buyer[detail === 'address' ? 'country' : detail] !== undefined;

/** Selects the details to ask for, and the details of a buyer whom the merchant knows. */
export const BillingControls = () => {
  const { choices, choose } = usePlayground();
  const { never, buyer } = choices.value;

  /** The form refuses to omit a detail that it doesn't have, so fill in a detail when it is no longer asked for. */
  const ask = (detail: BillingOption, isAsked: boolean) => {
    const fields = fieldsOf([detail]);
    choose({
      never: isAsked ? never.filter((one) => one !== detail) : [...never, detail],
      buyer: isAsked || isGiven(buyer, detail) ? buyer : { ...buyer, ...pick(SAMPLE_BUYER, fields) },
    });
  };

  const set = (field: BuyerField, text: string) => {
    const { [field]: _, ...others } = buyer;
    const next: BuyerDetails = text === '' ? others : { ...others, [field]: text };
    choose({ buyer: next, never: never.filter((detail) => isGiven(next, detail)) });
  };

  return (
    <>
      <div class="checks">
        {BILLING_OPTIONS.map((detail) => (
          <CheckField
            key={detail}
            label={`Ask for the ${detail}`}
            checked={!never.includes(detail)}
            onChange={(isAsked) => ask(detail, isAsked)}
          />
        ))}
      </div>
      <h3>Details that you know</h3>
      <div class="buttons">
        <button type="button" class="small" onClick={() => choose({ buyer: SAMPLE_BUYER })}>
          Fill in a known buyer
        </button>
        <button type="button" class="small" onClick={() => choose({ buyer: {}, never: [] })}>
          Clear
        </button>
      </div>
      <div class="pairs">
        {BUYER_FIELDS.filter((field) => field !== 'country').map((field) => (
          <TextField
            key={field}
            label={labelOf(field)}
            value={buyer[field] ?? ''}
            problemOf={(text) =>
              buyerValue(field, text) === null ? 'At most 254 characters, and no card number.' : null
            }
            onChange={(text) => set(field, text)}
          />
        ))}
        <SelectField
          label="Country"
          options={[{ value: '', text: 'Guessed by the form' }, ...ALL_COUNTRIES]}
          value={buyer.country ?? ''}
          onChoose={(code) => set('country', code)}
        />
      </div>
    </>
  );
};
