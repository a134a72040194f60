/** Replaces Tamagui's layout measurement (`onLayout`), which would observe every element. */
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
