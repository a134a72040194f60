/** Types that tamagui's declarations import from react-native, which isn't installed. */
declare module 'react-native' {
  export type HostInstance = unknown;
  export type View = unknown;
  export type Text = unknown;
  export type TextInput = unknown;
}
