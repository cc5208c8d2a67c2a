/**
 * The playground: the real form beside controls for its options, and the code for what is on the screen. A page of its
 * own; a sandbox serves it, and anybody can host its files (docs/hosting.md).
 */
import { render } from 'preact';
import { takeTokenFromAddress } from '../inspector/control-token.ts';
import './playground.css';
import { PlaygroundContext } from './context.ts';
import { createPlayground } from './model.ts';
import { Playground } from './Playground.tsx';
import { readSite } from './site.ts';

const root = document.getElementById('playground');
if (root) {
  takeTokenFromAddress();
  const model = createPlayground(readSite(root.dataset, new URL(location.href)));
  render(
    <PlaygroundContext.Provider value={model}>
      <Playground />
    </PlaygroundContext.Provider>,
    root,
  );
  void model.start();
}
