import { KNOWN_BRANDS } from '../../card/brands.ts';
import { useForm } from './context.ts';

/**
 * The marks of these brands (ids separated by spaces), once the marks have loaded. Hidden from screen readers: the
 * number's description names the brand.
 */
export const BrandMarks = ({ brands: ids }: { brands: string }) => {
  const { BrandMark } = useForm().late.value ?? {};
  const brands = ids.split(' ').flatMap((id) => KNOWN_BRANDS.find((brand) => brand === id) ?? []);
  return (
    <span class="brands" aria-hidden="true">
      {BrandMark && brands.map((brand) => <BrandMark key={brand} brand={brand} />)}
    </span>
  );
};
