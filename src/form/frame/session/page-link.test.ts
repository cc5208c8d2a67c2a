// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPageLink, type PageLink } from './page-link.ts';

const LINE = { left: 0, top: 0.5, length: 1, height: 20 };

let links: PageLink[] = [];
afterEach(() => {
  for (const link of links) link.close();
  links = [];
});

const setUp = () => {
  const { port1, port2 } = new MessageChannel();
  const post = vi.spyOn(port1, 'postMessage').mockImplementation(() => undefined);
  const link = createPageLink(port1);
  links.push(link);
  const hear = (data: object) => port1.onmessage?.(new MessageEvent('message', { data }));
  port2.close();
  return { link, hear, post };
};

describe('messages from the page before a listener is added', () => {
  it('are delivered later, in order, and once', () => {
    const { link, hear } = setUp();
    const heard: string[] = [];
    hear({ type: 'update', readOnly: true });
    hear({ type: 'blur' });
    link.listen(({ type }) => heard.push(type));
    expect(heard).toEqual(['update', 'blur']);
    hear({ type: 'clear' });
    expect(heard).toEqual(['update', 'blur', 'clear']);
  });

  it('is not asked twice to look after the place of the form', () => {
    const { link, post } = setUp();
    link.followPlace();
    link.followPlace();
    expect(post.mock.calls).toEqual([[{ type: 'update' }]]);
  });

  it('is an answer to a question already then', async () => {
    const { link, hear, post } = setUp();
    const asked = link.askCovers([LINE]);
    expect(post).toHaveBeenCalledWith({ type: 'covers', lines: [LINE] });
    const answer = { type: 'covers', covers: ['over'], pointer: null };
    hear(answer);
    expect(await asked).toEqual(answer);
    const heard = vi.fn();
    link.listen(heard);
    expect(heard).not.toHaveBeenCalled();
  });
});
