import { useSearchParams } from 'react-router-dom';

/**
 * Kept in the address; switching removes the old tab's query parameters.
 * @param param nested tabs use their own name, which keeps the outer tab open
 */
export const useTab = <Name extends string>(tabs: readonly { readonly name: Name }[], param = 'tab') => {
  const [params, setParams] = useSearchParams();
  const asked = params.get(param);
  const tab = tabs.find(({ name }) => name === asked) ?? tabs[0];
  if (!tab) throw new Error('There are no tabs.');
  const outer = params.get('tab');
  return [
    tab.name,
    (name: Name): void => setParams({ ...(outer && { tab: outer }), [param]: name }),
  ] as const;
};
