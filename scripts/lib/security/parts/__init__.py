"""What the attacks of long topics are made of; the topics say when each runs."""
