/** tamagui's sources name these types of a package that the web doesn't have. */
declare module 'react-native' {
  export type HostInstance = unknown;
  export type View = unknown;
  export type Text = unknown;
  export type TextInput = unknown;
}
