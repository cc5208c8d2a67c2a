/**
 * The playground: the real form next to controls for its options, with the code for the form on the screen. A separate
 * page. A sandbox serves it, and anybody can host its files (docs/hosting.md).
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
