// The complete module is loaded like the small one.
export { default } from "./salvo.js";
