import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import NODES from '../proof/nodes/nodes.json' with { type: 'json' };

const workflow = await readFile('.github/workflows/publish.yml', 'utf8');
const { scripts, engines } = z
  .object({ scripts: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }) })
  .parse(JSON.parse(await readFile('package.json', 'utf8')));

describe('the workflow that publishes the package', () => {
  it('runs only scripts that exist, and all tests before it publishes', () => {
    const named = [...workflow.matchAll(/run: npm (?:run )?([a-z:]+)/g)].map(([, name = '']) => name);
    const ownCommands = ['ci', 'publish'];
    expect(named.filter((name) => !ownCommands.includes(name) && !(name in scripts))).toEqual([]);
    expect(named.indexOf('test:all')).toBeGreaterThan(-1);
    expect(named.indexOf('test:all')).toBeLessThan(named.indexOf('publish'));
  });

  it('uses the newest Node version listed in the README as tried, and the oldest listed is the oldest supported', async () => {
    const versions = [...workflow.matchAll(/node-version: (.*)/g)].map(([, version]) => version);
    expect(versions).toEqual([NODES.at(-1), NODES.at(-1)]);
    expect(await readFile('README.md', 'utf8')).toContain(`(tried: ${NODES.join(', ')})`);
    expect(`${engines.node}.0`).toBe(`>=${NODES[0]}`);
  });

  it('publishes with provenance, without a token', () => {
    expect(workflow).toContain('--provenance');
    expect(workflow).toContain('id-token: write');
    expect(workflow).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
  });

  it('the job that may write the identity token installs and runs none of our code', () => {
    const publishing = workflow.slice(workflow.indexOf('\n  publish:'));
    expect(workflow.split('id-token: write')).toHaveLength(2);
    expect(publishing).toContain('id-token: write');
    expect([...publishing.matchAll(/run: (.*)/g)].map(([, command]) => command)).toEqual([
      'npm publish ./*.tgz --provenance --access public',
    ]);
    expect(publishing).not.toContain('actions/checkout');
  });

  it('pins every action to a commit', () => {
    const uses = [...workflow.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    expect(uses).toHaveLength(5);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});
