/** Whether the agent hears of what the person changes, and what connects it where it does not. */
import { Text } from "../parts/text.tsx"

export const Hearing = ({ says, connect }: { says: string; connect: string | undefined }) => (
  <p className="hearing">
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
