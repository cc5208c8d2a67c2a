import { describe, expect, it } from 'vitest';
import { HTTP_STATUS } from '../../api/errors.ts';
import { ROOT } from '../../citations.fixture.ts';
import { EVENT_TYPES } from '../store/records.ts';
import { API_ROUTES } from './api-routes.ts';
import { createExamples } from './reference.fixture.ts';
import { reference } from './reference.ts';

describe('docs/api.md', () => {
  it('is written from the schemas and what the sandbox answers; `npm run api` writes it again', async () => {
    await expect(reference(await createExamples())).toMatchFileSnapshot(`${ROOT}docs/api.md`);
  });

  it('has every server route, event and error, each with an example', async () => {
    const page = reference(await createExamples());
    const sections = new Map(page.split(/^### /m).map((section) => [section.split('\n')[0] ?? '', section]));
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
    expect(page).not.toMatch(/[sp]k_live_\w/);
  });
});
