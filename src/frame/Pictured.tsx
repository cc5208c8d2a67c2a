import { BRANDS } from '../card/brands.ts';
import { useForm } from './context.ts';

/** The drawings, which nobody needs to type a number; null until they have arrived with what pays. */
const usePictures = () => useForm().desk.value?.parts.pictures ?? null;

/**
 * Small marks of card brands, given by their ids with spaces between; a card without a brand where there are none.
 * Their names are said elsewhere.
 */
export const BrandMarks = ({ brands: ids }: { brands: string }) => {
  const drawn = usePictures();
  const brands = ids.split(' ').flatMap((id) => BRANDS.find((brand) => brand === id) ?? []);
  return (
    <span class="brands" aria-hidden="true">
      {drawn && brands.length > 0 ? (
        brands.map((brand) => <drawn.BrandMark key={brand} brand={brand} />)
      ) : (
        <svg class="brand" viewBox="0 0 36 24" width="36" height="24" aria-hidden="true" data-brand="none">
          <rect class="card-blank" x=".75" y=".75" width="34.5" height="22.5" rx="3.5" />
          <path class="card-line" d="M1 6h34v4H1zM5 15h10v2.5H5z" />
        </svg>
      )}
    </span>
  );
};

/** Where the security code stands, for those who ask; there as soon as the drawings are. */
export const CodeHelp = () => {
  const drawn = usePictures();
  return drawn && <drawn.CodeHelp />;
};
