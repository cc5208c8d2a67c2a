/**
 * The inspector: a live view of the sandbox, and controls for it. A page of its own that uses the control routes alone;
 * from the sandbox's code it imports nothing but types.
 */
import { render } from 'preact';
import './inspector.css';
import { InspectorContext } from './context.ts';
import { takeTokenFromAddress } from './control-token.ts';
import { Inspector } from './Inspector.tsx';
import { createInspector } from './model.ts';

const root = document.getElementById('inspector');
if (root) {
  takeTokenFromAddress();
  const model = createInspector();
  render(
    <InspectorContext.Provider value={model}>
      <Inspector />
    </InspectorContext.Provider>,
    root,
  );
  model.start();
}
