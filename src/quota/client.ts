import type { Caller } from "../keys/key.ts";
import type { KeyQuota } from "./quota.ts";
import type { QuotaObject } from "./quota-object.ts";

const version = 1 as const;

/** Talks to the object that counts for a key. */
export function createKeyQuota(
  namespace: DurableObjectNamespace<QuotaObject>,
  { tenant, keyId }: Pick<Caller, "tenant" | "keyId">,
): KeyQuota {
  const name = `${encodeURIComponent(tenant)}/${encodeURIComponent(keyId)}`;
  const object = () => namespace.getByName(name);
  return {
    takeRequest: (options) => object().takeRequest({ version, ...options }),
    beginRound: (options) => object().beginRound({ version, ...options }),
    async endRound(roundId) {
      await object().endRound({ version, roundId });
    },
  };
}
