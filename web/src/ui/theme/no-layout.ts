/**
 * Stands in for tamagui's measuring of elements (`onLayout`), which registers every element of a page to be watched. The kit leaves
 * layout to CSS.
 */
const nothing = (): undefined => undefined;

export {
  nothing as createMeasure,
  nothing as createMeasureInWindow,
  nothing as createMeasureLayout,
  nothing as enable,
  nothing as LayoutMeasurementController,
  nothing as registerLayoutNode,
  nothing as setOnLayoutStrategy,
  nothing as useElementLayout,
};
