let context: AudioContext | undefined;

const note = (
  audio: AudioContext,
  hertz: number,
  from: number,
  seconds: number,
  shape: OscillatorType,
): void => {
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const start = audio.currentTime + from;
  tone.type = shape;
  tone.frequency.value = hertz;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.35, start + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  tone.connect(volume).connect(audio.destination);
  tone.start(start);
  tone.stop(start + seconds);
};

/** Plays the result's sound and vibrates. Browsers stay silent until the first user gesture. */
export const chime = (admitted: boolean): void => {
  navigator.vibrate?.(admitted ? 80 : [160, 80, 160]);
  if (typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  if (admitted) {
    note(context, 784, 0, 0.14, 'sine');
    note(context, 1175, 0.12, 0.24, 'sine');
  } else {
    note(context, 165, 0, 0.45, 'square');
  }
};
