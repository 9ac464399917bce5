/** Says whether the agent is told about the person's changes, and how to connect it if not. */
import { Text } from "../parts/text.tsx"

export const WhenTold = ({ says, connect }: { says: string; connect: string | undefined }) => (
  <p className="when-told">
    <Text of={says} />
    {connect !== undefined && (
      <>
        {" To connect it, run "}
        <code>
          <Text of={connect} />
        </code>
        {" once."}
      </>
    )}
  </p>
)
