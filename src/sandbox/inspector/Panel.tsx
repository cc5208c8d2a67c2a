import type { ComponentChildren } from 'preact';

/** A titled part of a page with several controls. */
export const Panel = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section aria-label={title} class="panel">
    <h2>{title}</h2>
    {children}
  </section>
);
