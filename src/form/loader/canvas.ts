import { unclobberedDocument } from './unclobbered-document.ts';

/** The browser's own background colour, according to the document's color-scheme. */
export const canvas = (): string => {
  const { documentElement, querySelector } = unclobberedDocument();
  const own = getComputedStyle(documentElement).colorScheme;
  const schemes = own === 'normal' ? querySelector<HTMLMetaElement>('meta[name=color-scheme]')?.content : own;
  const isDark =
    /dark/.test(`${schemes}`) &&
    (!/light/.test(`${schemes}`) || matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)';
};
