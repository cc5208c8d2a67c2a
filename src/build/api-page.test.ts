import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HTTP_STATUS } from '../api/errors.ts';
import { API_ROUTES } from '../sandbox/service/core/api-routes.ts';
import { EVENT_TYPES } from '../sandbox/service/store/records.ts';
import { apiPage } from './api-page.ts';
import { alone, anchorOf, readPages } from './llms.ts';

describe('the page "Server API"', async () => {
  const page = await apiPage();

  it('has every server route, event and error, each with an example', () => {
    const sections = new Map(
      page.text.split(/^### /m).map((section) => [section.split('\n')[0] ?? '', section]),
    );
    const routes = API_ROUTES.filter(({ key }) => key === 'secret');
    expect(routes.length).toBeGreaterThan(8);
    for (const { method, path } of routes) {
      const line = `\`${method.toUpperCase()} ${path.replace(':id', '{id}')}\``;
      const section = [...sections.values()].find((text) => text.includes(line));
      expect([line, section?.includes('```text')]).toEqual([line, true]);
    }
    for (const type of EVENT_TYPES) expect(sections.get(type)).toContain(`"type": "${type}"`);
    for (const [code, status] of Object.entries(HTTP_STATUS))
      expect(sections.get(code)).toMatch(new RegExp(`\\n${status}\\n[\\s\\S]*"code": "${code}"`));
    expect(page.text).not.toMatch(/[sp]k_live_\w/);
  });

  it('is the same in each build', async () => {
    expect(await apiPage()).toEqual(page);
  });

  it('when standalone, links to its own headings and names the other pages', async () => {
    const pages = await readPages(fileURLToPath(new URL('../..', import.meta.url)));
    const text = alone(page, [...pages, page]);
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => `#${anchorOf(heading)}`);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !anchors.includes(link))).toEqual([]);
    expect(text).toContain('"Webhooks" in "Going live" has a server for them');
    expect(text).toContain('What to do about each: "Errors"');
  });
});
