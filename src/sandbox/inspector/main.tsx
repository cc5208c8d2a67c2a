/**
 * The inspector: a live view of the sandbox, with controls for it. A separate page that uses only the control routes
 * and imports nothing but types from the sandbox's code.
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
