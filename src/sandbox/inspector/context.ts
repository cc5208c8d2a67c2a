import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { InspectorModel } from './model.ts';

export const InspectorContext = createContext<InspectorModel | null>(null);

/** The page's model. */
export const useInspector = (): InspectorModel => {
  const model = useContext(InspectorContext);
  if (model === null) throw new Error('useInspector needs an InspectorContext.Provider above it');
  return model;
};
