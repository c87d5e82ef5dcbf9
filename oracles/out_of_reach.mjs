/** A request that an oracle does not cover; the message is the reason. */
export class OutOfReach extends Error {}
