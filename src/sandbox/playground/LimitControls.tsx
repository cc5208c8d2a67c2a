import { COUNTRIES } from '../../form/address/country-codes.ts';
import { countryNames } from '../../form/address/names.ts';
import { BRANDS } from '../../form/card/brand-names.ts';
import { usePlayground } from './context.ts';
import { CheckField, SelectField } from './inputs.tsx';

const ALL_COUNTRIES = countryNames('en', COUNTRIES);
const nameOf = (code: string): string => ALL_COUNTRIES.find((one) => one.code === code)?.name ?? code;

/** Selects the accepted cards, and the countries that a buyer can choose. */
export const LimitControls = () => {
  const { choices, choose } = usePlayground();
  const { acceptedBrands, allowedCountries } = choices.value;
  return (
    <>
      <fieldset>
        <legend>Accepted brands{acceptedBrands.length === 0 && ': all'}</legend>
        <div class="checks two">
          {BRANDS.map((brand) => (
            <CheckField
              key={brand}
              label={brand}
              checked={acceptedBrands.includes(brand)}
              onChange={(isAccepted) =>
                choose({
                  acceptedBrands: BRANDS.filter((one) =>
                    one === brand ? isAccepted : acceptedBrands.includes(one),
                  ),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <SelectField
        label={allowedCountries.length === 0 ? 'Allowed countries: all. Limit to' : 'Allow another country'}
        options={[
          { value: '', text: 'Choose…' },
          ...ALL_COUNTRIES.filter(({ code }) => !allowedCountries.includes(code)).map(({ code, name }) => ({
            value: code,
            text: name,
          })),
        ]}
        value=""
        onChoose={(code) => {
          if (code !== '') choose({ allowedCountries: [...allowedCountries, code] });
        }}
      />
      {allowedCountries.length > 0 && (
        <ul class="chips" aria-label="Allowed countries">
          {allowedCountries.map((code) => (
            <li key={code}>
              {nameOf(code)}
              <button
                type="button"
                aria-label={`Remove ${nameOf(code)}`}
                onClick={() => choose({ allowedCountries: allowedCountries.filter((one) => one !== code) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
